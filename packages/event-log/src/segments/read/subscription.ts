import type { Lane } from '@millrace/contracts/lanes.ts';
import { StreamRevokedError, type SubscribeOptions, type Subscription } from '../../event-log.ts';
import { liveMembers, Membership, shareOf, type LiveMember } from '../coordination/group-members.ts';
import type { LaneReader } from './lane-reader.ts';
import { checkName } from '../files/layout.ts';
import type { LogReader } from './log-reader.ts';
import { OwnedUnit } from './owned-unit.ts';
import { HeartbeatWatch } from '../coordination/heartbeat.ts';
import { membersFolder, readClaim, UnitClaim, unitsFolder } from '../coordination/unit-claim.ts';

const failedTicksMax = 20;

/** The part of the log that a subscription needs. */
export interface SubscriptionContext {
  dir: string;
  logId: string;
  partitions: number;
  reader: LogReader;
  /** Time for which a silent member keeps its streams, because it may be alive. */
  goneAfterMs: number;
  /** Interval at which members write their heartbeat and read those of others. */
  tickMs: number;
}

/** Joins a group. Resolves when the handlers of the streams that are free already run. */
export async function openSubscription(
  context: SubscriptionContext,
  options: SubscribeOptions,
): Promise<SegmentSubscription> {
  checkName('group', options.group);
  const membership = await Membership.join(membersFolder(context.dir, options.group), options.lanes);
  const subscription = new SegmentSubscription(context, options, membership);
  await subscription.begin();
  return subscription;
}

/**
 * A member of a group. At every tick it shows life, looks who else does, works out its share of the partitions,
 * gives away what is not in it (after its handlers have returned) and takes what is and is free.
 */
export class SegmentSubscription implements Subscription {
  readonly ended: Promise<void>;
  readonly #context: SubscriptionContext;
  readonly #options: SubscribeOptions;
  readonly #members: string;
  readonly #units: string;
  readonly #watch: HeartbeatWatch;
  readonly #owned = new Map<string, OwnedUnit>();
  /** Damaged bytes that were reported. */
  readonly #isDamageReported = new Map<LaneReader, number>();
  #membership: Membership;
  #timer: NodeJS.Timeout | null = null;
  #ticking: Promise<void> = Promise.resolve();
  #closing: Promise<void> | null = null;
  #error: { error: unknown } | null = null;
  #failedTicks = 0;
  #lastFailure: { error: unknown } | null = null;
  readonly #end: { resolve: () => void; reject: (error: unknown) => void };

  constructor(context: SubscriptionContext, options: SubscribeOptions, membership: Membership) {
    this.#context = context;
    this.#options = options;
    this.#membership = membership;
    this.#members = membersFolder(context.dir, options.group);
    this.#units = unitsFolder(context.dir, options.group);
    this.#watch = new HeartbeatWatch(context.goneAfterMs);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = { resolve, reject };
    // Whoever does not look at `ended` must not die of it; close() rejects too.
    promise.catch(() => undefined);
  }

  /** The first tick. @throws what makes the subscription impossible. */
  async begin(): Promise<void> {
    this.#runTick();
    await this.#ticking;
    if (!this.#lastFailure) return;
    await this.close();
    throw this.#lastFailure.error;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#ticking;
    if (this.#timer) clearTimeout(this.#timer);
    await Promise.all([...this.#owned.keys()].map((key) => this.#giveUp(key)));
    this.#reportDamage();
    await this.#membership.leave();
    if (this.#error) this.#end.reject(this.#error.error);
    else this.#end.resolve();
  }

  #runTick(): void {
    this.#ticking = this.#tick().then(
      () => {
        this.#failedTicks = 0;
      },
      (error: unknown) => {
        this.#failedTicks += 1;
        // A full disk or too many open files may be temporary; the running streams continue.
        if (this.#failedTicks >= failedTicksMax) this.#fail(error);
        this.#lastFailure = { error };
      },
    );
    this.#timer = setTimeout(() => {
      this.#ticking = this.#ticking.then(() => {
        if (!this.#closing) this.#runTick();
      });
    }, this.#context.tickMs);
  }

  /** Ends the subscription with a permanent error. */
  #fail(error: unknown): void {
    this.#error ??= { error };
    void this.close();
  }

  async #tick(): Promise<void> {
    if (!this.#membership.beat()) await this.#joinAgain();
    const members = await liveMembers(this.#members, this.#watch);
    await this.#context.reader.scan();
    this.#reportDamage();
    for (const [key, unit] of this.#owned) if (!unit.isMine()) this.#startGivingUp(key);
    for (const lane of this.#options.lanes) {
      for (let partition = 0; partition < this.#context.partitions; partition++)
        await this.#settle(lane, partition, members);
    }
    await this.#startStreams();
  }

  #reportDamage(): void {
    for (const { writer, lane, reader } of this.#context.reader.known()) {
      const bytes = reader.damagedBytes - (this.#isDamageReported.get(reader) ?? 0);
      if (bytes === 0 || !this.#options.lanes.includes(lane)) continue;
      this.#isDamageReported.set(reader, reader.damagedBytes);
      this.#options.onDamage?.({ lane, writer, bytes });
    }
  }

  /** The others took this process for dead (it was stopped, or blocked for long) and may have its streams by now. */
  async #joinAgain(): Promise<void> {
    await Promise.all([...this.#owned.keys()].map((key) => this.#giveUp(key)));
    await this.#membership.leave();
    this.#membership = await Membership.join(this.#members, this.#options.lanes);
  }

  async #settle(lane: Lane, partition: number, members: readonly LiveMember[]): Promise<void> {
    const key = `${lane}.${partition}`;
    const isMyShare = shareOf(members, lane, partition) === this.#membership.id;
    if (this.#owned.has(key)) {
      if (!isMyShare) this.#startGivingUp(key);
      return;
    }
    if (!isMyShare) return;
    const claim = await readClaim(this.#units, key);
    if (members.some((member) => member.id === claim.member)) return;
    const taken = await UnitClaim.take(this.#units, key, claim, this.#membership.id);
    if (taken) this.#owned.set(key, new OwnedUnit(this.#context.logId, lane, partition, taken));
  }

  async #startStreams(): Promise<void> {
    for (const { writer, lane, reader } of this.#context.reader.known()) {
      for (let partition = 0; partition < this.#context.partitions; partition++) {
        const unit = this.#owned.get(`${lane}.${partition}`);
        if (!unit) continue;
        try {
          await unit.start(writer, reader, this.#context.reader, this.#options.onStream, (error) => this.#fail(error));
        } catch (error) {
          if (!(error instanceof StreamRevokedError)) throw error;
          this.#startGivingUp(`${lane}.${partition}`);
        }
      }
    }
  }

  /** Does not wait: a slow handler must not delay this member's heartbeat. */
  #startGivingUp(key: string): void {
    this.#giveUp(key).catch((error: unknown) => this.#fail(error));
  }

  async #giveUp(key: string): Promise<void> {
    const unit = this.#owned.get(key);
    await unit?.end();
    if (this.#owned.get(key) === unit) this.#owned.delete(key);
  }
}
