import { specCalls } from '../spec/calls.ts'
import { familyCalls } from '../spec/family-calls.ts'
import { proofCalls, singleCalls } from '../spec/single-calls.ts'
import { withoutParamNames } from '../spec/walk.ts'
import type { FullServer } from '../full-server.ts'

const elsewhere = new Set([...singleCalls.map(({ call }) => call), ...proofCalls].map(withoutParamNames))

/** Calls that these recorded requests should have made, and that were never accepted. */
export const uncoveredCalls = (site: FullServer, isOurs: (call: string) => boolean): string[] => {
  const taken = new Set([...site.accepted].map(withoutParamNames))
  const ours = [...specCalls, ...familyCalls].map(({ call }) => call).filter(isOurs)
  return ours.filter((call) => !elsewhere.has(withoutParamNames(call)) && !taken.has(withoutParamNames(call)))
}
