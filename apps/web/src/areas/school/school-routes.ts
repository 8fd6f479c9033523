/** Pages of schools and people that no menu entry opens. */
export const schoolRoutes = [
  {
    kind: 'screen',
    path: '/school/employee/:id',
    title: { name: '人员详情', nameEn: 'Person' },
    keepAlive: true,
    screen: 'employee/detail',
    query: {},
    of: { screen: 'employee/index', owns: '/school/employee' },
  },
  {
    kind: 'screen',
    path: '/school/detail/:id',
    title: { name: '学校详情', nameEn: 'School' },
    keepAlive: true,
    screen: 'school/detail',
    query: {},
    of: { screen: 'school/index', owns: '/school/detail' },
  },
  {
    kind: 'screen',
    path: '/school/form',
    title: { name: '学校资料', nameEn: 'School form' },
    keepAlive: false,
    screen: 'school/form',
    query: {},
    of: { screen: 'school/index', owns: '/school/form' },
  },
] as const

/**
 * The list of open records of a school, as its counts mean them: of any age. `LIVE`: without drills and tests, like the
 * count of open alarms; a closing school may have no open record of any kind.
 */
export const openRecordsPath = (schoolId: number, which: 'LIVE' | 'ALL'): string =>
  `/warn/record?schoolId=${schoolId}&open=true${which === 'LIVE' ? '&mode=LIVE' : ''}`
