type Actor = { actorName: string | null; actorAccount: string | null }

/** The name with the account beside it, because it proves who acted and names are not unique; null for the system. */
export const formatActor = ({ actorName, actorAccount }: Actor): string | null =>
  actorName === null || actorAccount === null ? actorName : `${actorName} (${actorAccount})`
