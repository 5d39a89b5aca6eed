import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Returns a ref for an element, and the width of that element in pixels, which follows its changes. */
export function useWidth<Element extends HTMLElement>(initial = 640): [RefObject<Element | null>, number] {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setWidth(Math.max(200, Math.round(element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
