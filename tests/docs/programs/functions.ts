import { getSharesOutput, getTunnel, getTunnels } from "pulumi-frontdoor";

// The program exports a function, because `await` works there, also in a CommonJS program.
export = async () => {
  const branch = await getTunnel({ name: "branch-office" });
  const { tunnels } = await getTunnels({ status: ["NEW", "ERROR"], sort: "name,asc" });
  return {
    notReady: tunnels.map(({ name }) => name),
    published: getSharesOutput({ ipsecTunnelId: branch.id, status: "DEPLOYED" }).shares,
  };
};
