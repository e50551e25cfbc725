# One image for all roles: `docker build -t tidemark .`; compose.yaml runs it. docs/deploying.md
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Nothing has to be built.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
# uWebSockets.js comes with a binary for each system and Node; one of them is loaded.
RUN cd node_modules/uWebSockets.js/dist/bin \
 && find . -name '*.node' ! -name "uws_linux_$(node -p process.arch)_$(node -p process.versions.modules).node" -delete \
 && ls *.node
# Everything that .dockerignore lets in.
COPY . .
# Documents and packages of the clients, which are made from the code; what makes them stays behind.
RUN node scripts/docs.ts && rm -r scripts node_modules/typescript clients/python clients/typescript/dist
# Types are stripped here, once: the processes of the image cannot write to it.
RUN node config/strip-types.cjs $(ls -d */ | grep -v node_modules)

FROM debian:bookworm-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin tidemark \
 && install -d -o tidemark -g tidemark -m 700 /data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY --from=build /app ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data LOG_FORMAT=json
USER tidemark
EXPOSE 8080
VOLUME /data
# Of another role: HEALTHCHECK CMD ["node", "cmd/health.ts", "feed"]. A web process serves within 20 s of its start.
HEALTHCHECK --interval=60s --timeout=10s --start-period=30s --retries=3 CMD ["node", "cmd/health.ts", "web"]
# Signals go to the process itself; each ends within ten seconds of SIGTERM.
CMD ["node", "cmd/web.ts"]
