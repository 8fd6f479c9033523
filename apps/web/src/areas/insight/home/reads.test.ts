import { auth } from '@tocsin/contract/system/auth'
import { homes } from '@tocsin/contract/insight/home'
import { notices } from '@tocsin/contract/system/notice'
import { expect, it } from 'vitest'
import { neededAlways, neededThere } from '#api/wire/ahead.ts'
import { encodeCall } from '#api/wire/encode.ts'
import { figures, latestNotices } from './reads.ts'

it('what is asked before the application has come is what it asks for then', () => {
  expect(neededAlways).toEqual([encodeCall(auth.permissionInfo, undefined).path])
  const first = [
    [homes.get, figures],
    [notices.myPage, latestNotices],
  ] as const
  expect(neededThere).toEqual(first.map(([e, { queryKey }]) => encodeCall(e, queryKey[2] ?? undefined).path))
})
