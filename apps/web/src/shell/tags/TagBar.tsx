import { CloseOutlined, DownOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps, theme } from 'antd'
import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { client } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { DropMenu } from '#ui/overlay/DropMenu.tsx'
import { restoreFocus } from '#ui/overlay/focus.ts'
import { type Title, localTitle } from '../menu-routes.ts'
import { confirmLeave } from '#ui/form/unsaved-guard.ts'
import { reloadPage, setTags } from './tag-store.ts'
import { type CloseAction, close, wouldClose, closeActions, move, nextTag, type Tag, withPinned } from './tags.ts'
import { useDrag } from './use-drag.ts'

type Titled = Tag & { title: Title }
type Props = { tags: readonly Titled[]; open: string; pinned: string | undefined }

const closingTexts = {
  current: 'shell.closeTag',
  left: 'shell.closeLeft',
  right: 'shell.closeRight',
  other: 'shell.closeOther',
  all: 'shell.closeAll',
} as const

const useClosing = ({ tags, open, pinned }: Props) => {
  const navigate = useNavigate()
  return async (action: CloseAction, path: string) => {
    const after = close(tags, action, path, pinned)
    const gone = tags.filter((tag) => !after.includes(tag))
    if (!(await confirmLeave(gone.map((tag) => tag.path)))) return
    const next = nextTag(tags, after, open, path)
    setTags(() => after.map((tag) => ({ path: tag.path, to: tag.to })))
    if (after.some((tag) => tag.path === open)) return
    void navigate(next?.to ?? '/')
  }
}

const useTagMenu = (props: Props, shut: ReturnType<typeof useClosing>) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { tags, open, pinned } = props
  const reload = async (path: string) => {
    if (!(await confirmLeave([path]))) return
    const tag = tags.find((tag) => tag.path === path)
    // Only the page that restarts reads this.
    void client.invalidateQueries({ refetchType: 'none' })
    reloadPage(path)
    if (path !== open && tag) void navigate(tag.to)
  }
  return (path: string): MenuProps => ({
    items: [
      { key: 'reload', label: t('shell.reload'), onClick: () => void reload(path) },
      ...closeActions.map((closeAction) => ({
        key: closeAction,
        label: t(closingTexts[closeAction]),
        disabled: !wouldClose(tags, closeAction, path, pinned),
        onClick: () => void shut(closeAction, path),
      })),
    ],
  })
}

/** A vertical wheel scrolls the tags sideways where they overflow. */
const sideways = (event: WheelEvent) => {
  const list = event.currentTarget as HTMLElement // which listens
  if (event.ctrlKey || Math.abs(event.deltaX) >= Math.abs(event.deltaY) || list.scrollWidth <= list.clientWidth) return
  event.preventDefault()
  list.scrollLeft += event.deltaY
}

/** React's own wheel listeners cannot prevent the browser's default. */
const useWheel = (list: RefObject<HTMLElement | null>) =>
  useEffect(() => {
    const { current } = list
    current?.addEventListener('wheel', sideways, { passive: false })
    return () => current?.removeEventListener('wheel', sideways)
  }, [list])

/** The tags bar of SPEC 2. */
export const TagBar = (props: Props) => {
  const { tags, open, pinned } = props
  const { t } = useTranslation()
  const lang = useLang()
  const { token } = theme.useToken()
  const shut = useClosing(props)
  const menuOf = useTagMenu(props, shut)
  const { dragged, grip, swallow } = useDrag((path, to) =>
    setTags((all) => move(withPinned(all, pinned), path, to, pinned)),
  )
  const list = useRef<HTMLUListElement>(null)
  useWheel(list)
  useEffect(() => {
    const shown = list.current?.querySelector('[data-open="true"]')
    shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [open, tags.length])
  return (
    <nav
      className="tag-bar"
      aria-label={t('shell.tags')}
      style={{ background: token.colorBgContainer, borderBottom: `1px solid ${token.colorBorderSecondary}` }}
    >
      <ul ref={list}>
        {tags.map((tag, at) => {
          const name = localTitle(tag.title, lang)
          const shown = tag.path === open
          return (
            <Dropdown
              key={tag.path}
              menu={menuOf(tag.path)}
              trigger={['contextMenu']}
              autoFocus
              transitionName=""
              onOpenChange={(shown) => shown || restoreFocus()}
            >
              <li
                className="tag"
                data-open={shown}
                {...grip(tag.path)}
                onAuxClick={(event) => {
                  if (event.button === 1 && tag.path !== pinned) void shut('current', tag.path)
                }}
                // The middle button would start the browser's own scrolling.
                onMouseDown={(event) => event.button === 1 && event.preventDefault()}
                style={{
                  ...(dragged?.path === tag.path && { transform: `translateX(${dragged.by}px)`, zIndex: 1 }),
                  borderColor: shown ? token.colorLink : token.colorBorder,
                  background: shown ? token.colorPrimaryBg : token.colorBgContainer,
                }}
              >
                <Link
                  to={tag.to}
                  draggable={false}
                  {...(shown && { 'aria-current': 'page' })}
                  style={{ color: shown ? token.colorLink : token.colorText }}
                  aria-keyshortcuts="Alt+Shift+ArrowLeft Alt+Shift+ArrowRight"
                  onKeyDown={(event) => {
                    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
                    if (!step || !event.altKey || !event.shiftKey) return
                    event.preventDefault()
                    setTags((all) => move(withPinned(all, pinned), tag.path, at + step, pinned))
                  }}
                  onClick={(event) => swallow() && event.preventDefault()}
                  onAuxClick={(event) => event.preventDefault()}
                >
                  {name}
                </Link>
                {tag.path !== pinned && (
                  <button
                    type="button"
                    aria-label={t('shell.closeNamed', { name })}
                    onClick={() => void shut('current', tag.path)}
                    onPointerDown={(event) => event.stopPropagation()}
                  >
                    <CloseOutlined />
                  </button>
                )}
              </li>
            </Dropdown>
          )
        })}
      </ul>
      <DropMenu menu={menuOf(open)}>
        <Button type="text" size="small" icon={<DownOutlined />} aria-label={t('shell.tagActions')} />
      </DropMenu>
    </nav>
  )
}
