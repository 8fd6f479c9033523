import { askAhead, atDashboard, neededAlways, neededThere } from '#api/wire/ahead.ts'
import { stored } from '#api/storage.ts'
import { BASE } from '#api/wire/request.ts'

// The first script of the page, in a file that needs no other: what the page shows in any case is asked for while the
// rest of the application is still coming.

const token = stored('ACCESS_TOKEN')
const needed = atDashboard() ? [...neededAlways, ...neededThere] : neededAlways
if (token) for (const path of needed) askAhead(BASE + path, token)
