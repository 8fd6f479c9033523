import type { SameKeys } from '../../same-keys.ts'
import type { log as zhLog, online as zhOnline } from '../../zh-cn/system/log.ts'

export const log: SameKeys<typeof zhLog> = {
  lastDays: 'The last 7 days; choose a time for earlier ones, at most 92 days at once',
  period: 'Time',
  periodHint: 'The last 7 days unless chosen, at most 92 days at once',
  noLogins: 'No sign-ins in the last 7 days',
  noOperations: 'No operations in the last 7 days',
  login: 'Sign-in',
  operation: 'Operation',
  done: 'Done',
  refused: 'Refused {code}',
  changes: 'Changes',
  content: 'Content',
  removed: 'What was deleted',
  field: 'Field',
  before: 'Before',
  after: 'After',
  value: 'Value',
  nothing: '(empty)',
  unchanged: 'Fields that did not change: {n}',
  sameOnes: 'and {n} that both have',
  withheld: 'What was changed lies outside what you may see',
  sealed: 'Sealed (seal {seal}): the content is what was sealed, and follows from the seal before',
  waiting: 'Waiting for its seal (about 10 s): the content is what was written',
  broken: 'Not what was written: content, seal or chain was changed. Tell whoever answers for security at once',
}

export const online: SameKeys<typeof zhOnline> = {
  none: 'No sessions that you may see',
  current: 'This session',
  locked: 'Locked',
  kick: 'Sign out',
  kickAsk: 'Sign out {name}?',
  kickEffect: 'That browser is signed out at once; what was not saved there is lost.',
  kicked: 'Signed out',
  notOwn: 'You cannot end the session you are using',
}
