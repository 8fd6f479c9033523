import { specCalls } from '../spec/calls.ts'
import { familyCalls } from '../spec/family-calls.ts'
import { proofCalls, singleCalls } from '../spec/single-calls.ts'
import { plain } from '../spec/walk.ts'
import type { WholeSite } from '../whole-site.ts'

const elsewhere = new Set([...singleCalls.map(({ call }) => call), ...proofCalls].map(plain))

/** Calls of the lists that these recorded requests should have made, and that were not accepted once. */
export const neverAccepted = (site: WholeSite, isOurs: (call: string) => boolean): string[] => {
  const taken = new Set([...site.accepted].map(plain))
  const ours = [...specCalls, ...familyCalls].map(({ call }) => call).filter(isOurs)
  return ours.filter((call) => !elsewhere.has(plain(call)) && !taken.has(plain(call)))
}
