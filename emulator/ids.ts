import type { Hono } from "hono";
import { checkAccess } from "./auth";
import { Refusal, type Routes } from "./http";
import type { World } from "./world";

/** The calls outside the specification by which a client finds its organization, front doors and environments. */
export function idRoutes(app: Hono<Routes>, world: World): void {
  const { settings } = world;
  const page = (content: object[]) => ({
    ...{ content, pageable: { pageNumber: 0, pageSize: 20 } },
    ...{ totalElements: content.length, totalPages: content.length === 0 ? 0 : 1 },
  });
  const frontdoors = () => [{ id: settings.frontdoorId, name: "emulator", organizationId: settings.organizationId }];
  const enter = (authorization: string | undefined) => {
    checkAccess(world, authorization, settings.frontdoorId);
    if (settings.organizationId === null) throw new Refusal(403, "forbidden", "This token has no organization");
  };

  app.get("/identity/v1/identities/self", (c) => {
    enter(c.req.header("authorization"));
    return c.json({ id: "emulator", organizationId: settings.organizationId });
  });
  app.get("/frontdoor", (c) => {
    enter(c.req.header("authorization"));
    return c.json(c.req.query("organizationId") === settings.organizationId ? frontdoors() : []);
  });
  app.get("/frontdoor/v2", (c) => {
    enter(c.req.header("authorization"));
    return c.json(page(frontdoors()));
  });
  app.get("/frontdoor/:frontdoorId/environments", (c) => {
    checkAccess(world, c.req.header("authorization"), c.req.param("frontdoorId"));
    const entries = Object.entries(settings.environments);
    return c.json(page(entries.map(([zId, name]) => ({ id: `environment-of-${zId}`, zId, name, status: "DEPLOYED" }))));
  });
}
