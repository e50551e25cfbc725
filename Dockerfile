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
# What only compilers, debuggers and `require` read of the packages.
RUN find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
 && rm -r node_modules/node node_modules/viem/_cjs node_modules/ox/_cjs
# Of the system the processes need the program, its libraries, and how names are resolved: there is no shell.
RUN mkdir -p /image/etc /image/tmp /own/data && chmod 700 /own/data && chmod 1777 /image/tmp \
 && echo 'tidemark:x:10001:10001::/:' >/image/etc/passwd \
 && echo 'hosts: files dns' >/image/etc/nsswitch.conf \
 && cp -L --parents /usr/local/bin/node /lib/*/libnss_dns.so.2 /lib/*/libnss_files.so.2 /lib/*/libresolv.so.2 \
    $(ldd /usr/local/bin/node node_modules/uWebSockets.js/dist/bin/*.node node_modules/@duckdb/*/libduckdb.so | grep -oE '[[:space:]]/[^ ]+\.so[^ ]*' | sort -u) /image

FROM scratch
COPY --from=build /image /
COPY --from=build --chown=10001:10001 /own /
WORKDIR /app
COPY --from=build /app ./
ENV PATH=/usr/local/bin NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data LOG_FORMAT=json
USER 10001:10001
EXPOSE 8080
VOLUME /data
# Of another role: HEALTHCHECK CMD ["node", "cmd/health.ts", "feed"]. A web process serves within 20 s of its start.
HEALTHCHECK --interval=60s --timeout=10s --start-period=30s --retries=3 CMD ["node", "cmd/health.ts", "web"]
# Signals go to the process itself; each ends within ten seconds of SIGTERM.
CMD ["node", "cmd/web.ts"]
