import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type InlineProgramArgs, LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { IpsecSite, type SiteShareArgs } from "pulumi-frontdoor";

/** A remote site as a caller of Frontdoor describes it. */
export interface Site {
  name: string;
  peerPublicIp: string;
  peerCidr: string;
  locationId: string;
  envZId: string;
  shares: Record<string, SiteShareArgs>;
}

/** The stack of a site, one for each; nothing is created before `up` is called on it. */
export function siteStack({ name, ...site }: Site): Promise<Stack> {
  const args: InlineProgramArgs = {
    projectName: "frontdoor-sites",
    stackName: name,
    // An inline program runs in this process; configuration comes from the stack or from FRONTDOOR_… in the environment.
    program: () => {
      const { tunnelId, endpoints } = new IpsecSite(name, site);
      return Promise.resolve({ tunnelId, endpoints });
    },
  };
  // The stack's settings file lies here and has to be there the next time: without it a stack's secrets can't be read.
  const workDir = join(process.cwd(), "sites", name);
  mkdirSync(workDir, { recursive: true });
  return LocalWorkspace.createOrSelectStack(args, { workDir });
}
