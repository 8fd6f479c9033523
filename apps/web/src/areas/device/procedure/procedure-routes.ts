const owner = { screen: 'device/procedure/index', owns: '/device/procedure' } as const

/** Pages of procedures and their runs that no menu entry opens. */
export const procedureRoutes = [
  {
    kind: 'screen',
    path: '/device/procedure/new',
    title: { name: '新增规程', nameEn: 'New procedure' },
    keepAlive: false,
    screen: 'device/procedure/edit',
    query: {},
    of: owner,
  },
  {
    kind: 'screen',
    path: '/device/procedure/:id/edit',
    title: { name: '编辑规程', nameEn: 'Edit procedure' },
    keepAlive: false,
    screen: 'device/procedure/edit',
    query: {},
    of: owner,
  },
  {
    kind: 'screen',
    path: '/device/procedure/:id',
    title: { name: '规程', nameEn: 'Procedure' },
    keepAlive: true,
    screen: 'device/procedure/detail',
    query: {},
    of: owner,
  },
  {
    kind: 'screen',
    path: '/m/run/:id',
    title: { name: '执行作业', nameEn: 'Run' },
    keepAlive: false,
    screen: 'device/procedure/run',
    query: {},
  },
] as const
