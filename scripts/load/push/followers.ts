/** The clients of the chaos run: they come back when their connection ends, and keep what they have been sent. */
import { patched } from '../../../clients/typescript/src/patch.ts';
import { numberOf } from '../event-upstream.ts';
import { RawClient } from '../raw-client.ts';

interface Message {
  type: string;
  version?: string;
  from?: string;
  position?: string;
  recovered?: boolean;
  data?: unknown;
  patch?: unknown;
  events?: { quantity_base: number }[];
  wait?: number;
}

/** What a follower follows, and how it reads. */
interface Plan {
  ports: readonly number[];
  path: string;
  mode: 'full' | 'patch' | 'log';
  /** Stops reading now and then. */
  isSlow?: boolean;
}

export class Follower {
  readonly plan: Plan;
  /** Of an answer. */
  data: unknown = null;
  version = '';
  /** Of a log: how often each event has come, by its number. */
  readonly events = new Map<number, number>();
  connections = 0;
  /** Of the process that it follows at present. */
  port = 0;
  /** How often it got the message that something may be missing. */
  unrecovered = 0;
  faults: string[] = [];
  #position = '';
  #wait = 0;
  #client: RawClient | null = null;
  #isOver = false;

  constructor(plan: Plan) {
    this.plan = plan;
    void this.#run();
  }

  /** Whether it has a connection that has said something. */
  get isConnected(): boolean {
    return (this.#client?.count ?? 0) > 0;
  }

  /** Reads nothing for a time, ms. */
  async stall(ms: number): Promise<void> {
    const client = this.#client;
    client?.pause();
    await new Promise((resolve) => setTimeout(resolve, ms));
    client?.resume();
  }

  end(): void {
    this.#isOver = true;
    this.#client?.close();
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const { promise: ended, resolve: onClose } = Promise.withResolvers<void>();
      const { ports, path, mode } = this.plan;
      this.port = ports[Math.floor(Math.random() * ports.length)] ?? 0;
      const onMessage = () => this.#take(JSON.parse(this.#client?.text ?? '{}'));
      const about = { onClose, onMessage, keeps: true };
      this.#client = await RawClient.open(this.port, about).catch(() => null);
      if (this.#client !== null) {
        this.connections += 1;
        const resume = this.#position === '' ? {} : { resume: this.#position };
        this.#client.say({ op: 'subscribe', id: 1, path, mode, ...resume });
        await ended;
      }
      const wait = Math.min(this.#wait, 2_000) + 50 + Math.random() * 200;
      this.#wait = 0;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  #take(message: Message): void {
    const { type, version = '' } = message;
    this.#position = message.position ?? this.#position;
    if (message.recovered === false) this.unrecovered += 1;
    if (type === 'reconnect') this.#wait = message.wait ?? 0;
    else if (type === 'snapshot' || type === 'update') this.data = message.data;
    else if (type === 'patch') this.#patch(message);
    else if (type === 'events') this.#count(message.events ?? []);
    if (version !== '') this.version = version;
  }

  #patch({ from, patch }: Message): void {
    if (from !== this.version) this.faults.push(`a patch from ${from}`);
    this.data = patched(this.data, patch);
  }

  #count(events: readonly { quantity_base: number }[]): void {
    for (const { quantity_base } of events) {
      const number = numberOf(quantity_base);
      this.events.set(number, (this.events.get(number) ?? 0) + 1);
    }
  }
}
