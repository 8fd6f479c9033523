/** Pages of maintenance orders that no menu entry opens. */
export const maintenanceRoutes = [
  {
    kind: 'screen',
    path: '/device/maintenance/:id',
    title: { name: '维修工单', nameEn: 'Maintenance order' },
    keepAlive: true,
    screen: 'device/maintenance/detail',
    query: {},
    of: { screen: 'device/maintenance', owns: '/device/maintenance' },
  },
] as const
