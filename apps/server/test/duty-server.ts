import { makeSchool, makeUser } from '../seed/fixtures.ts'
import { gapRoutes } from '../src/areas/security/gap/gap-notices.ts'
import { handoverRoutes } from '../src/areas/security/handover/routes.ts'
import { patrolRoutes } from '../src/areas/security/patrol/routes.ts'
import { shiftRoutes } from '../src/areas/security/shift/routes.ts'
import { postRoutes } from '../src/areas/security/post/routes.ts'
import { type AdminServer, PASSWORD, startAdminServer } from './admin-server.ts'

export type DutyServer = AdminServer & {
  /** Two schools that do not see each other: of `here` and of `there`. */
  schoolId: number
  otherSchoolId: number
  post: (more?: object) => Promise<number>
  /** A guard of the school with an account; @returns the employee and the token */
  guard: (name: string, more?: object) => Promise<{ id: number; token: string }>
}

const postDraft = {
  schoolId: null,
  deptId: null,
  placeId: null,
  name: '东门门卫',
  type: 'GATE',
  weekdays: 127,
  fromMin: 420,
  toMin: 1140,
  headcount: 2,
  equipment: [],
  enabled: true,
  remark: null,
}
export const makePostDraft = (more: object) => ({ ...postDraft, ...more })

/** The calls about duty, with two schools. */
export const startDutyServer = async (): Promise<DutyServer> => {
  const admin = await startAdminServer((db) => [
    ...postRoutes({ db }),
    ...shiftRoutes({ db }),
    ...gapRoutes({ db }),
    ...handoverRoutes({ db }),
    ...patrolRoutes({ db }),
  ])
  const size = { studentCount: 1204, boarderCount: 0, status: 'ACTIVE' as const }
  const own = await makeSchool(admin.site.db, { name: '东湖一小', eduDeptId: admin.here.deptId, ...size })
  const other = await makeSchool(admin.site.db, { name: '西湖一小', eduDeptId: admin.there.deptId, ...size })
  let guards = 0
  return {
    ...admin,
    schoolId: own.id,
    otherSchoolId: other.id,
    guard: async (name, more = {}) => {
      guards += 1
      const username = `duty${guards}`
      const user = await makeUser(admin.site.db, { username, password: PASSWORD, deptId: own.deptId, roles: ['guard'] })
      const employee = await admin.all
        .insertInto('employee')
        .values({
          deptId: own.deptId,
          schoolId: own.id,
          employeeNo: username,
          name,
          kind: 'GUARD',
          userId: user.id,
          ...more,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id: employee.id, token: await admin.site.tokenOf(username, PASSWORD) }
    },
    post: async (more = {}) => {
      const { data } = await admin.call('POST', '/security/post/create', makePostDraft({ schoolId: own.id, ...more }))
      return data as unknown as number
    },
  }
}
