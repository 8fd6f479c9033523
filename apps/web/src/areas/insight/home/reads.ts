import { homes } from '@tocsin/contract/insight/home'
import { notices } from '@tocsin/contract/system/notice'
import { readInPlace } from '#api/query.ts'

const LATEST = 6

// What stands first on the dashboard is asked for before it is drawn.
export const figures = readInPlace(homes.get)
export const latestNotices = readInPlace(notices.myPage, { query: { pageSize: LATEST } })
