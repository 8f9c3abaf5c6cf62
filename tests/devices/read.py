"""Reads the configuration of a device by a parser, and prints it as JSON: for each line, the lines above it.

The document on standard input has the device, the text and, for PAN-OS, the values that the text must have.
"""

import json
import sys


def cisco(text, syntax="ios"):
    from ciscoconfparse2 import CiscoConfParse

    parsed = CiscoConfParse(text.splitlines(), syntax=syntax)
    lines = parsed.find_objects(".")
    return [[each.text.strip() for each in line.geneology] for line in lines if not line.text.startswith("!")]


def asa(text):
    return cisco(text, "asa")


def fortigate(text):
    from netutils.config.parser import FortinetConfigParser

    lines = FortinetConfigParser(text).config_lines
    return [
        [each.strip() for each in (*line.parents, line.config_line)]
        for line in lines
        if not line.config_line.startswith("#")
    ]


def router_os(text):
    """The menu, the command and the settings of each line."""
    from routeros_diff.parser import RouterOSConfig

    sections = RouterOSConfig.parse(s=text).sections
    return [
        [section.path, line.command, {arg.key: str(arg.value) for arg in line.args}]
        for section in sections
        for line in section.expressions
    ]


def junos(text):
    """The statements that junoscfg's schema lacks, and the values that it refuses."""
    from junoscfg import Format
    from junoscfg.convert import to_dict, validate_ir

    def unknown(node):
        if isinstance(node, list):
            return [each for part in node for each in unknown(part)]
        if not isinstance(node, dict):
            return []
        return [each for name, part in node.items() for each in ([name] if " " in name else unknown(part))]

    config = to_dict(text, Format.SET.value)
    return [*unknown(config), *(f"{error.path} {error.value}" for error in validate_ir(config).errors)]


def pan_os(_text, values):
    """What pan-os-python itself sends for these values, as `set` lines."""
    from panos.network import (
        IkeCryptoProfile,
        IkeGateway,
        IpsecCryptoProfile,
        IpsecTunnel,
        StaticRoute,
        TunnelInterface,
        VirtualRouter,
        Zone,
    )
    from panos.objects import ServiceObject
    from panos.policies import SecurityRule

    objects = {
        "network ike crypto-profiles ike-crypto-profiles": IkeCryptoProfile,
        "network ike crypto-profiles ipsec-crypto-profiles": IpsecCryptoProfile,
        "network ike gateway": IkeGateway,
        "network tunnel ipsec": IpsecTunnel,
        "network interface tunnel units": TunnelInterface,
        "network virtual-router": VirtualRouter,
        "network virtual-router default routing-table ip static-route": StaticRoute,
        "zone": Zone,
        "service": ServiceObject,
        "rulebase security rules": SecurityRule,
    }
    return [line for path, name, given in values for line in lines_of(path, objects[path](name, **given), given)]


def lines_of(path, sent, given):
    import xml.etree.ElementTree as xml

    for name, value in given.items():
        about = sent.about(name)["About"]
        allowed = about[0].get("Values") if isinstance(about, list) else about.get("Values")
        if allowed and value is not None and value not in allowed:
            raise SystemExit(f"{name} can not be {value}, but only {allowed}")

    def walk(element, words):
        if len(element) == 0:
            yield " ".join(filter(None, ["set", *words, element.text]))
        for child in element:
            if child.tag == "member":
                yield " ".join(["set", *words, child.text])
            else:
                yield from walk(child, [*words, child.get("name", child.tag)])

    root = xml.fromstring(sent.element_str())
    return walk(root, [path, root.get("name")])


given = json.load(sys.stdin)
readers = {"cisco-ios-xe": cisco, "cisco-asa": asa, "fortigate": fortigate, "mikrotik": router_os, "juniper-srx": junos}
device, text = given["device"], given["text"]
print(json.dumps(pan_os(text, given["values"]) if device == "pan-os" else readers[device](text)))
