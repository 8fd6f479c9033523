import { homes } from '@tocsin/contract/insight/home'
import { notices } from '@tocsin/contract/notices/notice'
import { inlineQuery } from '#api/query.ts'

const LATEST = 6

// The first data of the dashboard are prefetched before it is rendered.
export const homeQuery = inlineQuery(homes.get)
export const latestNoticesQuery = inlineQuery(notices.myPage, { query: { pageSize: LATEST } })
