/**
 * A port of the loopback address that is this test's own until it ends. It is below those that the system gives to
 * listeners on port 0 and to connections (`net.ipv4.ip_local_port_range` begins at 32768), and other test processes, whose
 * ids are near, have others.
 */
export const ownPort = 20_000 + (process.pid % 12_000);

/** Eight further ports in a row that are this test's own in the same way, for groups of servers. */
export const ownPorts = Array.from(
  { length: 8 },
  (_, at) => 10_000 + (process.pid % 1_200) * 8 + at,
);
