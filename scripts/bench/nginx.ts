import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One process, no access log, connections kept, the file kept open: nginx as it would be set for this alone. */
const configOf = (folder: string, port: number) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 75s;
  keepalive_requests 1000000000;
  open_file_cache max=10;
  default_type application/json;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location = /v1/prices { alias ${folder}/body.json; }
  }
}
`;

/** Writes what nginx needs to serve `body` as `/v1/prices`, and gives the shell command that runs it. */
export function nginxCommand(parent: string, port: number, body: string): string {
  const folder = join(parent, `nginx-${port}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'body.json'), body);
  writeFileSync(join(folder, 'nginx.conf'), configOf(folder, port));
  // Debian keeps it where only root looks.
  return `PATH="$PATH:/usr/sbin" exec nginx -p '${folder}' -e stderr -c '${folder}/nginx.conf'`;
}
