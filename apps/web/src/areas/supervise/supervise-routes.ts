/** Pages of supervision orders that no menu entry opens. */
export const superviseRoutes = [
  {
    kind: 'screen',
    path: '/supervise/detail/:id',
    title: { name: '督办单', nameEn: 'Supervision order' },
    keepAlive: true,
    screen: 'supervise/detail',
    query: {},
    of: { screen: 'supervise/index', owns: '/supervise/detail' },
  },
  {
    kind: 'screen',
    path: '/supervise/form',
    title: { name: '填写督办单', nameEn: 'Supervision order form' },
    keepAlive: false,
    screen: 'supervise/form',
    query: {},
    of: { screen: 'supervise/index', owns: '/supervise/form' },
  },
] as const
