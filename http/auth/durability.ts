/** The settings in two sections of Redis' INFO by which keys may be lost. INFO does not state the fsync policy. */
export function durabilityFaults(persistence: string, memory: string): string[] {
  const faults: string[] = [];
  if (!/^aof_enabled:1\r?$/m.test(persistence)) {
    faults.push('appendonly is off: what was written since the last snapshot dies with the server');
  }
  const policy = /^maxmemory_policy:(allkeys-\S+)/m.exec(memory)?.[1];
  if (policy !== undefined) {
    faults.push(`maxmemory-policy is ${policy}: keys may be evicted, set it to noeviction`);
  }
  return faults;
}
