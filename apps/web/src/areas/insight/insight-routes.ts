/** Pages of figures that no menu entry opens. */
export const insightRoutes = [
  {
    kind: 'screen',
    path: '/insight/readiness/:id',
    title: { name: '就绪度', nameEn: 'Readiness' },
    keepAlive: true,
    screen: 'insight/readiness/detail',
    query: {},
    of: { screen: 'insight/readiness', owns: '/insight/readiness' },
  },
  {
    kind: 'screen',
    path: '/insight/report/:id',
    title: { name: '报表', nameEn: 'Report' },
    keepAlive: true,
    screen: 'insight/report/detail',
    query: {},
    of: { screen: 'insight/report', owns: '/insight/report' },
  },
] as const
