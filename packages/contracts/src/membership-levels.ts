/** Levels of an organization's members (contract/orgs-errors 2). */
export const membershipLevels = { member: 1, admin: 8, owner: 15 } as const;

export type MembershipLevel = (typeof membershipLevels)[keyof typeof membershipLevels];
