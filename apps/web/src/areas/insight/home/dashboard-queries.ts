import { homes } from '@tocsin/contract/insight/home'
import { notices } from '@tocsin/contract/notices/notice'
import { inlineQuery } from '#api/query.ts'

const LATEST = 6

// What stands first on the dashboard is asked for before it is drawn.
export const homeQuery = inlineQuery(homes.get)
export const latestNoticesQuery = inlineQuery(notices.myPage, { query: { pageSize: LATEST } })
