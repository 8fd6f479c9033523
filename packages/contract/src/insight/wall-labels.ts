import type { EnumLabels } from '../field.ts'

export const wallLinkStates = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const
export type WallLinkState = (typeof wallLinkStates)[number]

const wallLinkState: EnumLabels<WallLinkState> = {
  ACTIVE: ['有效', 'Active'],
  EXPIRED: ['已过期', 'Expired'],
  REVOKED: ['已撤销', 'Revoked'],
}

export const wallLabels = { wallLinkState }
