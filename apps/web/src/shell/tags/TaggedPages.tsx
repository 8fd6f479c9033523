import { useEffect, useMemo } from 'react'
import { matchPath, useLocation, useMatches } from 'react-router'
import type { PageHandle, MenuRoutes } from '../menu-routes.ts'
import { usePageTitles } from '../page-title.ts'
import { KeepAlivePages } from './KeepAlivePages.tsx'
import { TagBar } from './TagBar.tsx'
import { setTags, useTags } from './tag-store.ts'
import { visit, withPinned } from './tags.ts'
import './tags.css'

/** The tags of visited screens and their pages, which stay mounted while another one is shown. */
export const TaggedPages = ({ plan }: { plan: MenuRoutes }) => {
  const { pathname, search, hash } = useLocation()
  // Routes made from menus carry this handle; a page without one, as /404, gets no tag.
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined
  const tagged = handle !== undefined
  useEffect(() => {
    if (tagged) setTags((tags) => visit(tags, { path: pathname, to: `${pathname}${search}${hash}` }))
  }, [tagged, pathname, search, hash])
  const kept = useTags((all) => all.tags)
  const names = usePageTitles()
  // A screen that the user no longer has loses its tag.
  const tags = useMemo(() => {
    const pages = plan.routes.filter(({ kind }) => kind !== 'redirect')
    // `detail/new` is not a page of `detail/:id`, in whichever order they are defined.
    const titled = (path: string) =>
      pages.find((route) => route.path === path) ?? pages.find((route) => matchPath(route.path, path))
    return withPinned(kept, plan.home).flatMap((tag) => {
      const route = titled(tag.path)
      return route ? [{ ...tag, title: names[tag.path] ?? route.title }] : []
    })
  }, [kept, names, plan])
  return (
    <>
      <TagBar tags={tags} open={pathname} pinned={plan.home} />
      <KeepAlivePages tags={tags} keepAlive={handle?.keepAlive ?? false} />
    </>
  )
}
