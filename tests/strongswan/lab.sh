#!/usr/bin/env bash
# Connects two strongSwan ends, and prints what each of them reports. Runs in namespaces of its own (see strongswan.test.ts), so that its
# networks and processes end with it. Arguments: a folder with site.conf and service.conf, the plugin that carries ESP, `nat` or `direct`,
# the seconds to wait for the tunnel, and `swanctl` or `ipsec` for the form of site.conf. The test sets SITE, SERVICE, HOST, LOAD_BALANCER, PORT, NODE and PLUGINS.
set -euo pipefail
folder=$1 kernel=$2 between=$3 seconds=$4 form=$5

mount -t tmpfs tmpfs /run
mkdir /run/netns
for end in site service; do
  ip netns add "$end"
  ip -n "$end" link set lo up
done
if [ "$between" = nat ]; then
  # The site has a private address, and the NAT has the public one.
  ip netns add nat
  ip -n nat link set lo up
  ip link add near netns site type veth peer name inner netns nat
  ip link add outer netns nat type veth peer name far netns service
  ip -n nat addr add 192.168.1.1/24 dev inner
  ip -n nat addr add "$SITE/32" dev outer
  ip -n nat link set inner up
  ip -n nat link set outer up
  ip -n nat route add "$SERVICE" dev outer
  ip netns exec nat sysctl -qw net.ipv4.ip_forward=1
  ip netns exec nat nft add table ip nat
  ip netns exec nat nft add chain ip nat out '{ type nat hook postrouting priority srcnat; }'
  ip netns exec nat nft add rule ip nat out oifname outer masquerade
  ip -n site addr add 192.168.1.2/24 dev near
  ip -n site link set near up
  ip -n site route add "$SERVICE" via 192.168.1.1
else
  ip link add near netns site type veth peer name far netns service
  ip -n site addr add "$SITE/32" dev near
  ip -n site link set near up
  ip -n site route add "$SERVICE" dev near
fi
ip -n service addr add "$SERVICE/32" dev far
ip -n service link set far up
ip -n service route add "$SITE" dev far
ip -n site addr add "$HOST/32" dev lo
ip -n service addr add "$LOAD_BALANCER/32" dev lo

# Starts the charon of an end, by the command after its name and its section of strongswan.conf.
start() {
  cat > "$folder/$1.strongswan.conf" <<CONF
$2 {
  load_modular = yes
  plugins {
    include $PLUGINS
    kernel-libipsec { load = $([ "$kernel" = kernel-libipsec ] && echo yes || echo no) }
    kernel-netlink { load = yes }
    resolve { load = no }
    stroke {
      load = $([ "$2" = charon ] && echo yes || echo no)
      secrets_file = $folder/ipsec.secrets
    }
    vici { socket = unix://$folder/$1.vici }
  }
  journal { default = -1 }
  filelog {
    log { path = $folder/$1.log
      flush_line = yes }
  }
}
CONF
  STRONGSWAN_CONF="$folder/$1.strongswan.conf" ip netns exec "$1" "${@:3}" > "$folder/$1.out" 2>&1 &
  for _ in $(seq 100); do [ -S "$folder/$1.vici" ] && return; sleep 0.1; done
  echo "charon of $1 did not start"
  exit 1
}
control() { STRONGSWAN_CONF="$folder/$1.strongswan.conf" swanctl "${@:2}" --uri "unix://$folder/$1.vici"; }

ip netns exec service "$NODE" "$(dirname "$0")/echo.mjs" serve "$LOAD_BALANCER" "$PORT" &
load() {
  control "$1" --load-all --noprompt --file "$folder/$1.conf" > "$folder/$1.load" 2>&1 || { cat "$folder/$1.load"; exit 1; }
}
start service charon-systemd charon-systemd
load service
if [ "$form" = ipsec ]; then
  # As the head of the file says: the last line is for ipsec.secrets.
  head -n -1 "$folder/site.conf" > "$folder/ipsec.conf"
  tail -n 1 "$folder/site.conf" > "$folder/ipsec.secrets"
  start site charon "$(ipsec --directory)/starter" --daemon charon --nofork --conf "$folder/ipsec.conf"
else
  start site charon-systemd charon-systemd
  load site
fi
for _ in $(seq $((seconds * 10))); do
  control site --list-sas | grep -q INSTALLED && break
  sleep 0.1
done
ip netns exec site "$NODE" "$(dirname "$0")/echo.mjs" ask "$HOST" "$LOAD_BALANCER" "$PORT" || true
for end in site service; do
  echo "== $end"
  control "$end" --list-sas
done
