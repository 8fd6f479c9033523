/** The page of one incident, which has no menu entry. */
export const situationRoute = {
  path: '/police/situation/detail/:id',
  title: { name: '警单详情', nameEn: 'Incident' },
  screen: 'policeSituation/detail',
  of: { screen: 'policeSituation/index', owns: '/police/situation/detail' },
}
