import type { Registration } from '#db/fact'
import { noteEnd } from './system/job/ended.ts'

/** What later areas do inside the transactions of earlier ones, in the server and in its worker. */
export const reactions: readonly Registration[] = [noteEnd]
