/** Times of a record that are written once, in their usual order (domain 2.8). */
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
