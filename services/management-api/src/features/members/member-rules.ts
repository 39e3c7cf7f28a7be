import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import type { ErrorCode } from '@millrace/http/errors/error-table.ts';

const { admin, owner } = membershipLevels;

/** Two members of one organization: the caller, and the member that the call is about. */
export interface Encounter {
  requesterLevel: number;
  targetLevel: number;
  /** The actor and the member are the same user. */
  isSelf: boolean;
}

export interface LevelChange extends Encounter {
  /** Undefined: no level was sent. */
  newLevel: number | undefined;
  /** Number of owners of the organization. */
  owners: number;
}

export interface MemberError {
  code: ErrorCode;
  detail: string;
}

type Rule<About> = (about: About) => MemberError | undefined;

const denied = (detail: string): MemberError => ({ code: 'permission_denied', detail });

function onlyAdministratorsTouchOthers({ requesterLevel, isSelf }: Encounter): MemberError | undefined {
  return !isSelf && requesterLevel < admin
    ? denied('Only administrators may change or remove other members.')
    : undefined;
}

function nobodyTouchesTheirBetters({ requesterLevel, targetLevel, isSelf }: Encounter): MemberError | undefined {
  return !isSelf && targetLevel > requesterLevel
    ? denied('You may not change or remove a member whose level is above your own.')
    : undefined;
}

function nobodyChangesTheirOwnLevel({ isSelf, newLevel }: LevelChange): MemberError | undefined {
  return isSelf && newLevel !== undefined ? denied('You may not change your own level.') : undefined;
}

function onlyOwnersMakeOwners({ requesterLevel, newLevel }: LevelChange): MemberError | undefined {
  return newLevel === owner && requesterLevel !== owner
    ? denied('Only an owner may make another member an owner.')
    : undefined;
}

function nobodyGivesMoreThanTheyHave({ requesterLevel, newLevel = 0 }: LevelChange): MemberError | undefined {
  return newLevel > requesterLevel ? denied('You may not give a level above your own.') : undefined;
}

function oneOwnerStays({ targetLevel, newLevel = targetLevel, owners }: LevelChange): MemberError | undefined {
  return targetLevel === owner && newLevel < owner && owners <= 1
    ? { code: 'invalid_input', detail: 'An organization must have at least one owner.' }
    : undefined;
}

function ownersStay({ targetLevel }: Encounter): MemberError | undefined {
  return targetLevel === owner
    ? { code: 'invalid_input', detail: 'An owner cannot be removed: give them another level first.' }
    : undefined;
}

const touchRules: readonly Rule<Encounter>[] = [onlyAdministratorsTouchOthers, nobodyTouchesTheirBetters];
const levelRules: readonly Rule<LevelChange>[] = [
  ...touchRules,
  nobodyChangesTheirOwnLevel,
  onlyOwnersMakeOwners,
  nobodyGivesMoreThanTheyHave,
  oneOwnerStays,
];
const removalRules: readonly Rule<Encounter>[] = [...touchRules, ownersStay];

/** Why the member may not be touched at all, whatever is to be done; undefined: they may. Pure. */
export const touchError = (encounter: Encounter): MemberError | undefined => firstOf(touchRules, encounter);

/** Why the level may not be changed like this (contract/orgs-errors 2.4, in its order); undefined: it may. Pure. */
export const levelError = (change: LevelChange): MemberError | undefined => firstOf(levelRules, change);

/** Why the member may not be removed; undefined: they may. Pure. */
export const removalError = (encounter: Encounter): MemberError | undefined => firstOf(removalRules, encounter);

function firstOf<About>(rules: readonly Rule<About>[], about: About): MemberError | undefined {
  for (const rule of rules) {
    const error = rule(about);
    if (error !== undefined) return error;
  }
  return undefined;
}
