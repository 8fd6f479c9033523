/** Pages of rollouts that no menu entry opens. */
export const rolloutRoutes = [
  {
    kind: 'screen',
    path: '/device/rollout/:id',
    title: { name: '升级发布', nameEn: 'Rollout' },
    keepAlive: true,
    screen: 'device/rollout/detail',
    query: {},
    of: { screen: 'device/rollout', owns: '/device/rollout' },
  },
] as const
