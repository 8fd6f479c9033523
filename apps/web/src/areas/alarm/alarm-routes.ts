/** Pages of alarms that no menu entry opens. */
export const alarmRoutes = [
  {
    kind: 'screen',
    path: '/warn/replay/:id',
    title: { name: '回放', nameEn: 'Replay' },
    keepAlive: true,
    screen: 'warn/replay',
    query: {},
    of: { screen: 'warn/record/index', owns: '/warn/replay' },
  },
] as const
