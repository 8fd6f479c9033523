import { auth } from '@tocsin/contract/access/auth'
import { homes } from '@tocsin/contract/insight/home'
import { notices } from '@tocsin/contract/notices/notice'
import { expect, it } from 'vitest'
import { alwaysPrefetched, dashboardPrefetched } from '#api/wire/prefetch.ts'
import { encodeCall } from '#api/wire/encode.ts'
import { homeQuery, latestNoticesQuery } from './dashboard-queries.ts'

it('prefetches the calls that the application makes', () => {
  expect(alwaysPrefetched).toEqual([encodeCall(auth.permissionInfo, undefined).path])
  const first = [
    [homes.get, homeQuery],
    [notices.myPage, latestNoticesQuery],
  ] as const
  expect(dashboardPrefetched).toEqual(first.map(([e, { queryKey }]) => encodeCall(e, queryKey[2] ?? undefined).path))
})
