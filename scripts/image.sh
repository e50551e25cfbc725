#!/usr/bin/env bash
# Builds the container image and runs each of its roles, without a container daemon: as the user of the image, on a root that cannot be
# written to, against the simulator and a redis-server. Ends with 0, with 1 where something is wrong, and with 77 where this machine
# cannot do it, which it says. Needs root and apt-get.
# The two images that the Dockerfile names are made of Debian's packages and the project's own Node, as they cannot be fetched by all.
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip 'it needs root'
tools=(buildah mmdebstrap redis-server)
[ "$(command -v "${tools[@]}" | wc -l)" = ${#tools[@]} ] ||
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${tools[@]}"; } >/dev/null 2>&1 ||
  skip "${tools[*]} cannot be installed"
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
work=$(mktemp -d)
root=$work/root
container=
end() {
  kill $(jobs -p) 2>/dev/null || true
  umount "$root/data" "$root/proc" "$root" 2>/dev/null || true
  [ -z "$container" ] || buildah rm "$container" >/dev/null
  rm -rf "$work"
}
trap end EXIT

debian=docker.io/library/debian:bookworm-slim
node=docker.io/library/node:22-bookworm-slim
has() { buildah inspect --type image "$1" >/dev/null 2>&1; }
commit() { buildah commit -q "$1" "$2" >/dev/null && buildah rm "$1" >/dev/null; }
if ! has $debian; then
  mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$work/debian.tar" || skip 'the packages of Debian are out of reach'
  c=$(buildah from scratch) || skip 'buildah does not work here'
  buildah add -q "$c" "$work/debian.tar" / >/dev/null
  commit "$c" $debian
fi
if ! has $node; then
  c=$(buildah from $debian)
  base=$(buildah mount "$c")
  install -D node_modules/node/bin/node "$base/usr/local/bin/node"
  mkdir -p "$base/usr/local/lib/node_modules"
  cp -rL "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$base/usr/local/lib/node_modules/npm"
  printf '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n' >"$base/usr/local/bin/npm"
  chmod +x "$base/usr/local/bin/npm"
  # The packages are reached as they are here.
  cp -rL /etc/ssl/certs "$base/etc/ssl/" 2>/dev/null || true
  for file in /etc/npmrc /usr/local/etc/npmrc ~/.npmrc; do [ ! -f "$file" ] || install -D "$file" "$base$file"; done
  for name in NODE_EXTRA_CA_CERTS SSL_CERT_FILE; do [ -z "${!name:-}" ] || buildah config --env "$name=${!name}" "$c"; done
  commit "$c" $node
fi

git clone -q . "$work/context"
if ! buildah bud -q --pull-never -t tidemark "$work/context" >"$work/build.log" 2>&1; then
  tail -20 "$work/build.log"
  ! grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|_CERT' "$work/build.log" || skip 'the packages of npm are out of reach'
  exit 1
fi
container=$(buildah from tidemark)
size=$(du -sm "$(buildah mount "$container")" | cut -f1)
echo "built: $size MB"
[ "$size" -le 300 ] || { echo 'the image is larger than 300 MB'; exit 1; }
mkdir "$root"
base=$(buildah mount "$container")
mkdir -p "$base/proc"
mount --bind "$base" "$root" && mount -o remount,bind,ro "$root" && mount -t proc proc "$root/proc" || skip 'nothing can be mounted here'
mount -t tmpfs -o uid=10001,gid=10001,mode=700 tidemark "$root/data"

port() { node_modules/.bin/node -e 'const s=require("net").createServer().listen(0,()=>{console.log(s.address().port);s.close()})'; }
redis=$(port) gateway=$(port) web=$(port)
redis-server --port "$redis" --save '' --dir "$work" >/dev/null &
node_modules/.bin/node scripts/simulator/main.ts --port "$gateway" --symbols 12 >"$work/simulator.log" 2>&1 &
# What the image states of itself, and what an operator sets.
mapfile -t own < <(buildah inspect --format '{{range .OCIv1.Config.Env}}{{println .}}{{end}}' "$container" | sed '/^$/d')
env=("${own[@]}" "REDIS_URL=redis://127.0.0.1:$redis/0" "UPSTREAM_GATEWAY=http://127.0.0.1:$gateway" "PORT=$web" HOST=127.0.0.1 AUTH_MODE=open)
inside() { exec env -i "${env[@]}" "$(command -v chroot)" --userspec=10001:10001 "$root" /usr/local/bin/node "/app/cmd/$1.ts" "${@:2}"; }
fail() { echo "$1"; tail -5 "$work/${2:-web}.log"; exit 1; }

roles=$(sed -n 's/^[a-z]*: .* cmd\/\([a-z]*\)\.ts.*/\1/p' Procfile)
declare -A pids
for role in $roles; do
  inside "$role" >"$work/$role.log" 2>&1 &
  pids[$role]=$!
done
answers() { curl -sf --max-time 5 "http://127.0.0.1:$web$1" | grep -q "$2"; }
within() {
  for ((i = 0; i < $1; i++)); do "${@:2}" && return; sleep 1; done
  return 1
}
within 180 answers /readyz ready || fail 'web is not ready'
within 60 answers '/v1/prices?symbol=BTC' '"symbol":"BTC"' || fail 'web has no price'
for role in $roles; do
  (inside health "$role") >"$work/health.log" 2>&1 || fail "the health command of $role fails" health
  [ "$(awk '/^Uid/ {print $2}' "/proc/${pids[$role]}/status")" = 10001 ] || fail "$role does not run as the user of the image" "$role"
done
! touch "$root/app/written" 2>/dev/null || fail 'the root can be written to'
gone() { ! kill -0 "$1" 2>/dev/null; }
kill -TERM "${pids[@]}"
for role in $roles; do
  within 10 gone "${pids[$role]}" || fail "$role does not end within ten seconds" "$role"
  wait "${pids[$role]}" || fail "$role ends with status $?" "$role"
done
echo "all roles run and end: $(echo $roles)"
