/** Points at which a test may kill the process like a power cut (trust X02). */
export type FaultPoint =
  | 'parse'
  | 'beforeTx'
  | 'afterInsert'
  | 'beforeCommit'
  | 'afterCommit'
  | 'beforePuback'
  | 'afterPuback'
  | 'beforeOutbox'
  | 'afterPush'

let armed: { point: string; passes: number } | undefined

/** `name:n`: the process dies at the n-th pass of that point. The configuration allows this only in tests. */
export const enableFaultInjection = (spec: string | undefined): void => {
  const [point = '', passes = '1'] = spec?.split(':') ?? []
  armed = spec === undefined ? undefined : { point, passes: Number(passes) }
}

export const faultPoint = (point: FaultPoint): void => {
  if (armed?.point !== point) return
  armed.passes -= 1
  if (armed.passes === 0) process.kill(process.pid, 'SIGKILL')
}
