/** Write-once instants of a record, in the order in which a case usually reaches them (domain 2.8). */
export const milestones = [
  'receivedAt',
  'displayedAt',
  'soundedAt',
  'claimedAt',
  'verifiedAt',
  'dispatchedAt',
  'onSiteAt',
  'escalatedAt',
  'resolvedAt',
  'closedAt',
] as const
export type Milestone = (typeof milestones)[number]
