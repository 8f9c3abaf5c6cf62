# Runs programs against mocks of Pulumi's own: what a resource or function does not know is refused.
import asyncio
import runpy
import sys

import pulumi


class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return [args.name + "-id", args.inputs]

    def call(self, args):
        return {}


for program in sys.argv[1:]:
    asyncio.set_event_loop(asyncio.new_event_loop())
    pulumi.runtime.set_mocks(Mocks(), preview=True)
    runpy.run_path(program)
    print(program)
