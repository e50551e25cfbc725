/** The message that follows a path. */
export const subscribe = (id: number, path: string) => ({ op: 'subscribe', id, path });
