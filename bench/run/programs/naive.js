/* global AbortSignal, fetch, process, require, setTimeout */
// What is written today without a package: a closure, fetch, and a GET every five seconds.
const pulumi = require("@pulumi/pulumi");
const { shareArgs } = require("./shares");

const base = `${process.env.FRONTDOOR_BASE_URL}/v2/fd-1/ipsec-shares`;
const token = process.env.FRONTDOOR_TOKEN;

async function call(method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  const text = await response.text();
  return text === "" ? {} : JSON.parse(text);
}

async function until(id, isDone) {
  for (;;) {
    const share = await call("GET", `/${id}`);
    if (isDone(share)) return share;
    await new Promise((resolve) => setTimeout(resolve, 5000));
  }
}

const provider = {
  async create(inputs) {
    const { name, ipsecTunnelId, envZId, target, ingressPort } = inputs;
    const body = { name, ipsecTunnelId, envZId, target, ingressPort };
    const { id } = await call("POST", "", body);
    return { id, outs: { ...inputs, ...(await until(id, (share) => share?.status === "DEPLOYED")) } };
  },
  async read(id, props) {
    return { id, props: { ...props, ...(await call("GET", `/${id}`)) } };
  },
  async delete(id) {
    await call("DELETE", `/${id}`);
    await until(id, (share) => share === undefined || share.status === "DELETED");
  },
};

class Share extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super(provider, name, args);
  }
}

for (let n = 0; n < Number(process.env.BENCH_SHARES); n++) new Share(`share-${n}`, shareArgs(n));
