/** What a report of an incident is. */
export const reportKinds = ['FIRST', 'FOLLOW_UP', 'FINAL'] as const
export type ReportKind = (typeof reportKinds)[number]
