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
