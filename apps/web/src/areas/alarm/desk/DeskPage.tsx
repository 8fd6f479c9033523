import { Segmented, Skeleton } from 'antd'
import type { TFunction } from 'i18next'
import { useEffect, useRef, useState, type RefObject, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '#ui/ErrorState.tsx'
import type { PersonVerb } from './actions/available-actions.ts'
import { UnsentDrafts } from './actions/UnsentDrafts.tsx'
import { useActions } from './actions/use-actions.ts'
import { usePerson } from './actions/use-person.ts'
import { Detail } from './detail/Detail.tsx'
import { ShortcutHelp } from './shortcuts/ShortcutHelp.tsx'
import { type Action, nextShownNew, neighbourRecord } from './shortcuts/keymap.ts'
import { useShortcuts } from './shortcuts/use-shortcuts.ts'
import { createFirstChoice, isNarrowDesk, selectedNow, useSelected } from './selected-record.ts'
import { StaleDataBanner, OverdueBanner } from './StaleDataBanner.tsx'
import { FilterBar } from './queue/FilterBar.tsx'
import { applyFilter, noFilter } from './queue/filter.ts'
import type { ListedRecord } from './queue/queue-groups.ts'
import { QueueList, type QueuePart } from './queue/QueueList.tsx'
import { type DeskView, EmptyQueue } from './queue/EmptyQueue.tsx'
import { useFilter } from './queue/use-filter.ts'
import { useGroups } from './queue/use-groups.ts'
import { freshestRecord, useQueue } from './queue/use-queue.ts'
import { REVIEW_DAYS, useReview } from './queue/use-review.ts'
import { useClaim, useRowFocus } from './row/use-row-focus.ts'
import { useAlarmSoundStore } from './sound/use-alarm-sound.ts'
import { SoundBar } from './SoundBar.tsx'
import { useDataStaleness } from './use-data-staleness.ts'
import './desk.css'
import './detail/detail.css'
import './queue/queue.css'
import './row/row.css'

/**
 * Gives the element the rest of the window below its upper edge, so that the queue and the record scroll instead of the
 * page. While it is shown the layout omits its margins.
 */
const useFillHeight = (box: RefObject<HTMLElement | null>, ready: boolean): void => {
  useLayoutEffect(() => {
    const element = box.current
    if (!ready || !element) return
    const root = document.documentElement
    root.dataset.desk = ''
    const measure = () => {
      const top = Math.round(element.getBoundingClientRect().top + window.scrollY)
      element.style.setProperty('--desk-top', `${top}px`)
    }
    measure()
    // Elements that appear or disappear above change the size of the layout's content.
    const observer = new ResizeObserver(measure)
    for (let at = element.parentElement; at && at !== root; at = at.parentElement) observer.observe(at)
    window.addEventListener('resize', measure)
    return () => {
      delete root.dataset.desk
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [box, ready])
}

const useDeskShown = () =>
  useEffect(() => {
    useAlarmSoundStore.setState({ deskShown: true })
    return () => useAlarmSoundStore.setState({ deskShown: false })
  }, [])

/** The listed records: the open queue under the filter, the user's own open records, or the records to review. */
const useShownList = (view: DeskView) => {
  const queue = useQueue()
  const review = useReview()
  const [filter, setFilter] = useFilter()
  const { userId } = usePerson()
  const open: ListedRecord[] = queue.data?.list ?? []
  const mine = open.filter(({ ownerId }) => ownerId === userId)
  const { shown: matching, hidden } = applyFilter(open, filter)
  const { groups, listeners } = useGroups(matching, userId, view === 'open')
  const parts: QueuePart[] =
    view === 'open' ? groups : [{ key: undefined, rows: view === 'mine' ? mine : (review?.list ?? []) }]
  const rowsOf = (some: readonly QueuePart[]) => some.flatMap(({ rows }) => rows)
  const { failureCount, error, dataUpdatedAt } = queue
  const queueRead = { readAt: dataUpdatedAt, failing: failureCount > 0 || error !== null }
  const reading = (view === 'review' && !queueRead.failing && review) || queueRead
  const unlisted = { open: queue.data?.more ?? 0, mine: 0, review: review ? review.total - review.list.length : 0 }
  return {
    queue,
    review,
    filter,
    setFilter,
    open,
    mine,
    reading,
    parts,
    listeners,
    shown: rowsOf(parts),
    // The order in which N finds the next one, whichever view it is pressed in.
    inOrder: rowsOf(groups),
    hidden: view === 'open' ? hidden : 0,
    more: unlisted[view],
  }
}

/** A note on the records that are not listed; the review never goes farther back than the maximum window. */
const useLeftOut = (view: DeskView, more: number): string | undefined => {
  const { t } = useTranslation()
  const text = more > 0 ? t(view === 'review' ? 'desk.moreToReview' : 'desk.more', { n: more }) : undefined
  return view !== 'review' ? text : [text, t('desk.reviewWindow', { n: REVIEW_DAYS })].filter(Boolean).join(' · ')
}

const viewsOf = (t: TFunction, n: { open: number; mine: number; review: number | undefined }) => [
  { value: 'open' as const, label: t('desk.viewOpen', { n: n.open }) },
  { value: 'mine' as const, label: t('desk.viewMine', { n: n.mine }) },
  ...(n.review === undefined ? [] : [{ value: 'review' as const, label: t('desk.viewReview', { n: n.review }) }]),
]

/** On a computer the most urgent record is selected at the start; on a phone the list comes first. */
const useFirstSelected = (first: number | undefined, select: (id: number) => void) => {
  const [choose] = useState(createFirstChoice)
  useEffect(() => {
    const chosen = choose(first, selectedNow())
    if (chosen !== undefined && !isNarrowDesk()) select(chosen)
  }, [choose, first, select])
}

/** The alarm desk: the queue on the left, the current record on the right. */
export const DeskPage = () => {
  const { t } = useTranslation()
  const [view, setView] = useState<DeskView>('open')
  const { queue, review, filter, setFilter, open, mine, reading, ...list } = useShownList(view)
  const { parts, listeners, shown, inOrder, hidden, more } = list
  const { readAt, failing } = reading
  const leftOut = useLeftOut(view, more)
  const [selected, select] = useSelected()
  const [help, setHelp] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const actions = useActions()
  const { deaf } = useDataStaleness(readAt)
  useDeskShown()
  useFirstSelected(shown[0]?.id, select)
  const { go, show, leave, onFocus } = useRowFocus(select)
  const box = useRef<HTMLDivElement>(null)
  useFillHeight(box, queue.data !== undefined)
  const rowOf = (wanted: number | undefined) => [...open, ...(review?.list ?? [])].find(({ id }) => id === wanted)
  const row = rowOf(selected)

  const back = (): boolean => {
    if (choosing) setChoosing(false)
    else if (actions.panel?.record.id === selected && actions.panel) void actions.leave(actions.panel)
    else if (selected !== undefined) leave()
    else return false
    return true
  }
  const press = (verb: PersonVerb, record: Parameters<typeof actions.run>[1] | undefined): boolean => {
    if (record && !actions.run(verb, record)) actions.refuse(verb, record)
    return record !== undefined
  }
  useShortcuts((action: Action) => {
    // Keys typed right after `/` go to the filter, which gets the focus when it is rendered.
    if (choosing && view === 'open' && action.kind !== 'back') return false
    const now = selectedNow()
    switch (action.kind) {
      case 'next':
      case 'previous':
        return go(neighbourRecord(shown, now, action.kind === 'next' ? 1 : -1))
      case 'nextNew':
        if (view !== 'open') setView('open')
        return go(nextShownNew(inOrder, filter, now))
      case 'mine':
        setView(view === 'mine' ? 'open' : 'mine')
        return true
      case 'filter':
        setChoosing(true)
        return true
      case 'help':
        setHelp(true)
        return true
      case 'back':
        return back()
      case 'verb':
        return press(action.verb, freshestRecord(now, rowOf(now)))
    }
  })

  const claim = useClaim(actions.run, select)
  const { data, error, refetch } = queue
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />
  const showAll = () => setFilter(noFilter)
  const views = viewsOf(t, { open: open.length + data.more, mine: mine.length, review: review?.total })
  return (
    <div className="desk" ref={box} data-open={selected !== undefined} data-deaf={deaf !== undefined || failing}>
      <SoundBar selected={selected} onHelp={() => setHelp(true)} />
      <StaleDataBanner readAt={readAt} failing={failing} />
      <OverdueBanner seconds={data.lateSec} />
      <div className="desk-body">
        <section className="desk-queue" aria-label={t('desk.queue')}>
          <div className="desk-tools">
            <Segmented size="small" value={view} options={views} onChange={setView} />
            {view === 'open' && (
              <FilterBar
                filter={filter}
                list={open}
                hidden={hidden}
                open={choosing}
                onOpen={setChoosing}
                onChange={setFilter}
              />
            )}
          </div>
          {actions.unsent > 0 && <UnsentDrafts lying={actions.lying(selected)} onOpen={actions.open} onGo={show} />}
          {shown.length === 0 && (hidden > 0 || !failing) ? (
            <EmptyQueue view={view} readAt={readAt} hidden={hidden} more={leftOut} onShowAll={showAll} />
          ) : (
            <QueueList
              parts={parts}
              listeners={view === 'open' ? listeners : {}}
              more={leftOut}
              selected={selected}
              actions={actions}
              onOpen={select}
              onFocus={onFocus}
              onClaim={claim}
            />
          )}
        </section>
        <section className="desk-detail" key={selected} tabIndex={-1} aria-label={t('desk.detail')}>
          {selected === undefined ? (
            shown.length > 0 && (
              <p className="desk-choose">{t(view === 'review' ? 'desk.chooseToReview' : 'desk.choose')}</p>
            )
          ) : (
            <Detail id={selected} row={row} actions={actions} onOpen={select} onBack={() => select(undefined)} />
          )}
        </section>
      </div>
      <ShortcutHelp open={help} onClose={() => setHelp(false)} />
    </div>
  )
}
