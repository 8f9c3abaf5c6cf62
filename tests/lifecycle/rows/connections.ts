import type { Emulator } from "../../../emulator";
import { hq, postTunnel, ready, type Row, seeded, type Step } from "../row";

/** A service whose connections are DOWN until a test says otherwise. */
const settings = { connectionStatus: "DOWN", connectionStatusMessage: "no proposal chosen" };

const onOwn = { tunnels: { hq }, connections: { up: { tunnelId: { tunnel: "hq" } } } };
const impatient = { opts: { customTimeouts: { create: "2s" } } };
const on = (tunnelId: string, more: object = {}) => ({ connections: { up: { tunnelId, ...more } } });
const connected = { insideCidr: expect.stringMatching(/\/30$/) as string };

const readOf = (id: string) => `GET /ipsec-tunnels/${id}/tunnel-config`;

/** Acts as soon as the service has shown a connection as DOWN so many times. */
function afterReads({ settings }: Emulator, count: number, act: () => void): void {
  let reads = 0;
  settings.onAnswer = ({ path }) => {
    reads += path.endsWith("/tunnel-config") ? 1 : 0;
    if (reads === count) act();
  };
}

/** A tunnel reads its details once, before its connection reads them. */
const laterUp = (count: number) => (service: Emulator) => {
  service.settings.connectionStatus = "DOWN";
  afterReads(service, count, () => (service.settings.connectionStatus = "UP"));
};

const made = {
  does: "up",
  program: onOwn,
  before: laterUp(3),
  sees: {
    effects: ["create hq", "create up"],
    writes: [postTunnel()],
    kept: { hq: ready, up: connected },
  },
} satisfies Step;

const onSeeded = {
  does: "up",
  program: on(seeded.id),
  before(service) {
    service.seedTunnel(seeded);
    service.settings.connectionStatus = "UP";
  },
  sees: { effects: ["create up"], kept: { up: connected } },
} satisfies Step;

/** The next up waits again, as no failed create is in the state. */
const again: Step = {
  does: "up",
  program: on(seeded.id),
  before: (service) => {
    service.settings.connectionStatus = "UP";
  },
  sees: { effects: ["create up"], kept: { up: connected } },
};

const ended = (happens: string, act: (service: Emulator) => void, says: RegExp): Row => ({
  name: `the create of a connection ends at once when its tunnel ${happens}`,
  settings,
  steps: [
    {
      does: "up",
      program: on(seeded.id),
      before(service) {
        service.seedTunnel(seeded);
        afterReads(service, 1, () => {
          act(service);
        });
      },
      sees: { effects: ["create up"], errors: [says], kept: {} },
    },
  ],
});

const interrupted = (adapter: "dynamic" | "plugin", times: 1 | 2, errors: RegExp[]): Row => ({
  adapter,
  name: `${times === 1 ? "an interrupt" : "a second interrupt"} ends the create of a connection at once, and the next up waits again`,
  settings,
  steps: [
    {
      does: "up",
      program: on(seeded.id),
      before: (service) => service.seedTunnel(seeded),
      interrupt: { after: readOf(seeded.id), times },
      sees: { effects: ["create up"], errors, kept: {} },
    },
    again,
  ],
});

/** Tunnel connections, which only wait. */
export const connections: Row[] = [
  {
    name: "a connection on an unknown tunnel is previewed, created once it is UP, and no change while it is DOWN later",
    settings,
    steps: [
      { does: "preview", program: onOwn, sees: { effects: ["create hq", "create up"], isSilent: true } },
      made,
      {
        does: "refresh",
        before: (service) => {
          service.settings.connectionStatus = "DOWN";
        },
        sees: {},
      },
      { does: "up", program: onOwn, sees: {} },
      {
        does: "destroy",
        sees: { effects: ["delete hq", "delete up"], writes: ["DELETE /ipsec-tunnels/<hq>"], kept: {} },
      },
    ],
  },
  ...(
    [
      ["peerCidr", "10.21.0.0/16", (post: string) => ["DELETE /ipsec-tunnels/<old hq>", post]],
      ["locationId", "loc-2", (post: string) => [post, "DELETE /ipsec-tunnels/<old hq>"]],
    ] as const
  ).map(([argument, value, writes]): Row => {
    const moved = { ...hq, [argument]: value };
    return {
      name: `a connection is replaced with its tunnel, by another ${argument}, and waits for the new one`,
      settings,
      steps: [
        made,
        {
          ...made,
          program: { ...onOwn, tunnels: { hq: moved } },
          sees: { ...made.sees, effects: ["replace hq", "replace up"], writes: writes(postTunnel(moved)) },
        },
      ],
    };
  }),
  {
    name: "a refresh drops the connection of a tunnel that was deleted by hand",
    settings,
    steps: [
      onSeeded,
      {
        does: "refresh",
        before: (service) => {
          service.removeTunnel(seeded.id);
        },
        sees: { effects: ["delete up"], kept: {} },
      },
    ],
  },
  {
    name: "a connection that is not UP before its deadline is not in the state, and the next up waits again",
    settings,
    steps: [
      {
        does: "up",
        program: on(seeded.id, impatient),
        before: (service) => service.seedTunnel(seeded),
        sees: {
          effects: ["create up"],
          errors: [
            /^up: .*VPN connection of tunnel tnl-seeded: still DOWN \(no proposal chosen\) after \d+ s\..*\[connection-down\]/,
          ],
          kept: {},
        },
      },
      again,
    ],
  },
  ended(
    "is deleted",
    (service) => {
      service.removeTunnel(seeded.id);
    },
    /^up: .*the tunnel no longer exists.*\[tunnel-ended\]/,
  ),
  ended(
    "is in ERROR",
    (service) => {
      service.setStatus(seeded.id, "ERROR");
    },
    /^up: .*the tunnel is ERROR.*\[tunnel-ended\]/,
  ),
  interrupted("plugin", 1, [/when the run was stopped.*\[stopped\]/]),
  interrupted("plugin", 2, []),
  interrupted("dynamic", 2, []),
];
