import { homes } from '@tocsin/contract/insight/home'
import { notices } from '@tocsin/contract/system/notice'
import { read } from '#api/query.ts'

const LATEST = 6

// What stands first on the dashboard is asked for before it is drawn.
export const figures = read(homes.get)
export const latestNotices = read(notices.myPage, { query: { pageSize: LATEST } })
