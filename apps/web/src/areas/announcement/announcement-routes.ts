/** Pages of announcements that no menu entry opens. */
export const announcementRoutes = [
  {
    kind: 'screen',
    path: '/announcement/detail/:id',
    title: { name: '公告', nameEn: 'Announcement' },
    keepAlive: true,
    screen: 'announcement/detail',
    query: {},
    of: { screen: 'announcement/index', owns: '/announcement/detail' },
  },
  {
    kind: 'screen',
    path: '/announcement/form',
    title: { name: '填写公告', nameEn: 'Announcement form' },
    keepAlive: false,
    screen: 'announcement/form',
    query: {},
    of: { screen: 'announcement/index', owns: '/announcement/form' },
  },
  {
    kind: 'screen',
    path: '/announcement/read/:id',
    title: { name: '阅读公告', nameEn: 'Announcement' },
    keepAlive: false,
    screen: 'announcement/read',
    query: {},
  },
] as const
