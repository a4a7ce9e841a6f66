// Node behind a proxy: proxied.mjs fetch|http URL… prints [[status, text]…] as JSON.
// `fetch` obeys NODE_USE_ENV_PROXY, which Node has since 22.21 and 24.5; `http` is what programs on an older Node do by hand.
import http from "node:http";
import https from "node:https";
import tls from "node:tls";

const [way, ...urls] = process.argv.slice(2);

/** Opens a tunnel by CONNECT. */
function tunnel(proxy, headers, { hostname, port }) {
  return new Promise((resolve, reject) => {
    const path = `${hostname}:${port || 443}`;
    http.request({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path, headers: { Host: path, ...headers } })
      .on("connect", (answer, socket) => {
        if (answer.statusCode === 200) resolve(socket);
        else reject(new Error(`CONNECT: ${answer.statusCode}`));
      })
      .on("error", reject)
      .end();
  });
}

async function byHand(url) {
  const target = new URL(url);
  const isSecure = target.protocol === "https:";
  const proxy = new URL(isSecure ? process.env.HTTPS_PROXY : process.env.HTTP_PROXY);
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = { "Proxy-Authorization": `Basic ${Buffer.from(user).toString("base64")}` };
  const socket = isSecure && tls.connect({ socket: await tunnel(proxy, headers, target), servername: target.hostname });
  return new Promise((resolve, reject) => {
    const request = isSecure
      ? https.request(target, { createConnection: () => socket, defaultPort: 443 })
      : http.request({ host: proxy.hostname, port: proxy.port, path: url, headers: { Host: target.host, ...headers } });
    request.on("error", reject).on("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece) => { text += piece; }).on("end", () => {
        if (socket) socket.destroy();
        resolve([answer.statusCode, text]);
      });
    }).end();
  });
}

const found = [];
for (const url of urls) {
  if (way === "fetch") {
    const answer = await fetch(url);
    found.push([answer.status, await answer.text()]);
  } else found.push(await byHand(url));
}
console.log(JSON.stringify(found));
process.exit(0);
