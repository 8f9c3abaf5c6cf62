import { getSharesOutput, getTunnel, getTunnels } from "pulumi-frontdoor";

// A function as the program's export: there `await` works, also where programs are CommonJS.
export = async () => {
  const branch = await getTunnel({ name: "branch-office" });
  const { tunnels } = await getTunnels({ status: ["NEW", "ERROR"], sort: "name,asc" });
  return {
    notReady: tunnels.map(({ name }) => name),
    published: getSharesOutput({ ipsecTunnelId: branch.id, status: "DEPLOYED" }).shares,
  };
};
