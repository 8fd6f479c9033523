import type { PolicyChoices, PolicyTarget } from '@tocsin/contract/notify/policy'
import { postTypes } from '@tocsin/contract/security/post'

/** A target as the value of an option. */
export const formatTarget = (target: PolicyTarget): string => {
  if (target.kind === 'ROLE') return `ROLE:${target.roleCode}`
  if (target.kind === 'POST') return `POST:${target.postType}`
  return target.kind === 'USER' ? `USER:${target.userId}` : 'STATION'
}

export const parseTarget = (value: string): PolicyTarget => {
  const [kind, id = ''] = value.split(':')
  if (kind === 'ROLE') return { kind, roleCode: id }
  const postType = postTypes.find((type) => type === id)
  if (kind === 'POST' && postType) return { kind, postType }
  return kind === 'USER' ? { kind, userId: Number(id) } : { kind: 'STATION' }
}

/** Undefined for a role or user that is not among the options. */
export const findTargetName = (target: PolicyTarget, choices: PolicyChoices | undefined): string | undefined => {
  if (target.kind === 'ROLE') return choices?.roles.find(({ code }) => code === target.roleCode)?.name
  if (target.kind === 'USER') return choices?.users.find(({ id }) => id === target.userId)?.name
  return undefined
}
